"""Encoding & Security tools, against the standard library and textbook vectors."""

import base64
import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataset_builder.tools import encoding_security as e
from tests.samples.tool_call import call

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)
KEYS = st.text(alphabet="abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=1)


@pytest.mark.parametrize(
    ("tool", "arguments", "output"),
    [
        (e.base64_encode, {"text": "hello"}, {"encoded": "aGVsbG8="}),
        (e.base64_encode, {"text": "Grüße"}, {"encoded": "R3LDvMOfZQ=="}),
        (e.base64_encode, {"text": ""}, {"encoded": ""}),
        (e.base64_decode, {"encoded": "aGVsbG8="}, {"text": "hello"}),
        (e.base64_decode, {"encoded": " aGVs\nbG8= "}, {"text": "hello"}),
        (
            e.hash_text,
            {"text": "hello", "algorithm": "md5"},
            {"digest": "5d41402abc4b2a76b9719d911017c592"},
        ),
        (
            e.hash_text,
            {"text": "abc", "algorithm": "SHA1"},
            {"digest": "a9993e364706816aba3e25717850c26c9cd0d89d"},
        ),
        (
            e.hash_text,
            {"text": "abc"},
            {"digest": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        ),
        (
            e.encrypt_text,
            {"text": "ATTACKATDAWN", "key": "LEMON"},
            {"ciphertext": "LXFOPVEFRNHR"},
        ),
        (
            e.encrypt_text,
            {"text": "Attack at dawn, Zoë!", "key": "lemon"},
            {"ciphertext": "Lxfopv ef rnhr, Lcë!"},
        ),
        (
            e.encrypt_text,
            {"text": "hello", "key": "k", "cipher": "xor"},
            {"ciphertext": "030e070704"},
        ),
        # Phrases A, B, AB, ABA: 0 + 1 + 2 + 2 bits for the numbers, 8 for each byte that follows.
        (
            e.compress_data,
            {"text": "ABABABA"},
            {"original_bytes": 7, "compressed_bytes": 5, "saved_percent": 28.57},
        ),
        # The last phrase is known already: its number alone.
        (
            e.compress_data,
            {"text": "AA"},
            {"original_bytes": 2, "compressed_bytes": 2, "saved_percent": 0.0},
        ),
        (
            e.compress_data,
            {"text": "é"},
            {"original_bytes": 2, "compressed_bytes": 3, "saved_percent": -50.0},
        ),
        (
            e.mask_pii,
            {"text": "Write to jane.doe@example.com."},
            {"masked_text": "Write to j***@example.com.", "masked_count": 1},
        ),
        (
            e.mask_pii,
            {"text": "Call (555) 123-4567 or 555-123-4567, after hours 555-0123."},
            {
                "masked_text": "Call (***) ***-4567 or ***-***-4567, after hours ***-0123.",
                "masked_count": 3,
            },
        ),
        (
            e.mask_pii,
            {"text": "+49 30 1234567, +1 415 555 0123, +33 1 23 45 67 89, 020 7946 0958"},
            {
                "masked_text": "+** ** ***4567, +* *** *** 0123, +** * ** ** 67 89, *** **** 0958",
                "masked_count": 4,
            },
        ),
        (
            e.mask_pii,
            {"text": "Card 4111 1111 1111 1111, 5500-0000-0000-0004, 378282246310005"},
            {
                "masked_text": "Card **** **** **** 1111, ****-****-****-0004, ***********0005",
                "masked_count": 3,
            },
        ),
        (
            e.mask_pii,
            {"text": "On 2026-07-15 at 10:30 order 12345678 cost 1,250,000 or 99.95."},
            {
                "masked_text": "On 2026-07-15 at 10:30 order 12345678 cost 1,250,000 or 99.95.",
                "masked_count": 0,
            },
        ),
    ],
)
def test_known_answer(tool, arguments, output):
    assert call(tool, **arguments) == output
    assert set(output) == set(tool.returns)


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        (e.base64_decode, {"encoded": "aGVsbG8"}, "no Base64"),
        (e.base64_decode, {"encoded": "a"}, "no Base64"),
        (e.base64_decode, {"encoded": "aGVs=bG8"}, "no Base64"),
        (e.base64_decode, {"encoded": "grüße==="}, "no Base64"),
        (e.base64_decode, {"encoded": "/w=="}, "no UTF-8"),
        (e.base64_decode, {"encoded": "QUJD" * 20_000 + "!"}, "no Base64"),
        (e.hash_text, {"text": "x", "algorithm": "crc32"}, "md5, sha1, sha256, sha512"),
        (e.hash_text, {"text": "\ud800"}, "surrogate"),
        (e.hash_text, {"text": "x" * 100_001}, "at most 100,000 characters"),
        (e.encrypt_text, {"text": "x", "key": ""}, "from 1 to 1,000 characters"),
        (e.encrypt_text, {"text": "x", "key": "k" * 1001}, "from 1 to 1,000 characters"),
        (e.encrypt_text, {"text": "x", "key": "k3y"}, "letters A to Z only"),
        (e.compress_data, {"text": ""}, "nothing to compress"),
        (e.mask_pii, {"text": "a@b.c " * 10_000}, "at most 2,000"),
    ],
)
def test_refusal_says_what_is_wrong(tool, arguments, message):
    output = call(tool, **arguments)
    assert set(output) == {"error"}
    assert message in output["error"]


@given(TEXT)
def test_base64_agrees_with_the_standard_library_and_leads_back(text):
    encoded = call(e.base64_encode, text=text)["encoded"]
    assert encoded == base64.b64encode(text.encode()).decode()
    assert call(e.base64_decode, encoded=encoded) == {"text": text}


@given(TEXT, st.sampled_from(["md5", "sha1", "sha256", "sha512"]))
def test_hashes_agree_with_hashlib(text, algorithm):
    expected = getattr(hashlib, algorithm)(text.encode()).hexdigest()
    assert call(e.hash_text, text=text, algorithm=algorithm) == {"digest": expected}


@given(TEXT, KEYS)
def test_the_inverse_key_undoes_a_vigenere_cipher(text, key):
    inverse = "".join(chr((26 - (ord(k) - 97)) % 26 + 97) for k in key.lower())
    ciphertext = call(e.encrypt_text, text=text, key=key)["ciphertext"]
    assert call(e.encrypt_text, text=ciphertext, key=inverse) == {"ciphertext": text}


@given(TEXT, st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20))
def test_xor_with_the_key_again_gives_the_text_back(text, key):
    cipher = bytes.fromhex(call(e.encrypt_text, text=text, key=key, cipher="xor")["ciphertext"])
    repeated = key.encode() * (len(cipher) // len(key.encode()) + 1)
    assert bytes(a ^ b for a, b in zip(cipher, repeated, strict=False)).decode() == text


def lz78_bits(data):
    """The definition, phrase by phrase: longest known phrase, then one byte more."""
    phrases, bits = [b""], 0
    while data:
        length = max(n for n in range(len(data) + 1) if data[:n] in phrases)
        bits += (len(phrases) - 1).bit_length() + (8 if length < len(data) else 0)
        phrases.append(data[: length + 1])
        data = data[length + 1 :]
    return bits


@given(st.text(alphabet="abc", min_size=1, max_size=60))
def test_compressed_size_agrees_with_the_definition_of_lz78(text):
    assert call(e.compress_data, text=text)["compressed_bytes"] == -(-lz78_bits(text.encode()) // 8)


@given(TEXT)
def test_masking_keeps_all_else_and_finds_nothing_in_words(text):
    output = call(e.mask_pii, text=text)
    if not output["masked_count"]:
        assert output["masked_text"] == text


@pytest.mark.parametrize(
    "text",
    ["a" * 100_000, "a@" * 50_000, "1" * 100_000, "1-" * 50_000, "(" * 100_000, "+1" * 50_000],
)
def test_masking_ends_on_hostile_text(text):
    assert call(e.mask_pii, text=text)["masked_text"] == text
