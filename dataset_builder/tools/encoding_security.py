"""Encoding & Security: Base64, hashes, ciphers, compression sizes, masking (paper, Table 3)."""

import base64
import hashlib
import re
from itertools import cycle, islice
from typing import Annotated, Literal

import re2

from dataset_builder.tools.define_tool import tool
from dataset_builder.tools.tool import Output, ToolError
from dataset_builder.values.parameter_types import Prose, Said, Verbatim

MAX_KEY_LENGTH = 1000
MAX_MASKED = 2000

_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")
# RE2 searches in linear time, whatever the text. The order decides where two could match.
_EMAIL = r"[\pL\pN_%+-][\pL\pN._%+-]*@[\pL\pN-]+(?:\.[\pL\pN-]+)+"
_CARD = r"\b(?:\d{4}(?:[ -]?\d{4}){2}[ -]?\d{1,7}|\d{4}[ -]?\d{6}[ -]?\d{5})\b"
_PHONE = (
    r"\+\d{1,3}[ .-]?\(?\d{1,4}\)?(?:[ .-]?\d{2,4}){2,4}\b"
    r"|\(\d{3}\) ?\d{3}[ .-]\d{4}\b|\b\d{3}[ .-]\d{3}[ .-]\d{4}\b"
    r"|\b0\d{1,4}[ -]\d{3,4}[ -]\d{3,4}\b|\b\d{3}-\d{4}\b"
)
_PERSONAL = re2.compile(f"{_EMAIL}|{_CARD}|{_PHONE}")


@tool("Encoding & Security")
def base64_encode(text: Verbatim) -> Output:
    """Encode text as standard Base64 of its UTF-8 bytes.

    Args:
        text: The text to encode.

    Returns:
        encoded (string): the Base64 text
    """
    return {"encoded": base64.b64encode(text.encode()).decode()}


@tool("Encoding & Security")
def base64_decode(encoded: Verbatim) -> Output:
    """Decode standard Base64 back to the text it stands for.

    Args:
        encoded: The Base64 text.

    Returns:
        text (string): the decoded text
    """
    compact = "".join(encoded.split())
    if not _BASE64.fullmatch(compact):
        raise ToolError("this is no Base64: its characters or its length are wrong")
    try:
        return {"text": base64.b64decode(compact).decode()}
    except UnicodeDecodeError:
        raise ToolError("the decoded bytes are no UTF-8 text") from None


@tool("Encoding & Security")
def hash_text(
    text: Verbatim,
    algorithm: Annotated[
        Literal["md5", "sha1", "sha256", "sha512"],
        Said(sha1=("SHA-1",), sha256=("SHA-256",), sha512=("SHA-512",)),
    ] = "sha256",
) -> Output:
    """Cryptographic hash of text's UTF-8 bytes; it cannot be reversed.

    Args:
        text: The text to hash.
        algorithm: Hash function. Default sha256.

    Returns:
        digest (string, hexadecimal): the hash
    """
    return {"digest": hashlib.new(algorithm, text.encode(), usedforsecurity=False).hexdigest()}


@tool("Encoding & Security")
def encrypt_text(
    text: Verbatim,
    key: Verbatim,
    cipher: Annotated[
        Literal["vigenere", "xor"], Said(vigenere=("Vigenère",), xor=("exclusive or",))
    ] = "vigenere",
) -> Output:
    """Encrypt text under a key with a classical cipher (obfuscation, not secure).

    Args:
        text: The text to encrypt.
        key: The secret key; for vigenere letters A to Z only.
        cipher: vigenere shifts letters, xor gives hexadecimal. Default vigenere.

    Returns:
        ciphertext (string): the encrypted text
    """
    if not 1 <= len(key) <= MAX_KEY_LENGTH:
        raise ToolError(f"a key has from 1 to {MAX_KEY_LENGTH:,} characters")
    return {"ciphertext": _vigenere(text, key) if cipher == "vigenere" else _xor(text, key)}


@tool("Encoding & Security")
def compress_data(text: Verbatim) -> Output:
    """Size of a text before and after LZ78 compression; the compressed bytes are not returned.

    Args:
        text: The text to compress.

    Returns:
        original_bytes (integer, bytes): size of the text in UTF-8
        compressed_bytes (integer, bytes): size after LZ78: for each phrase the number of an earlier
            phrase, in as many bits as there are phrases to tell apart, and the byte that follows
        saved_percent (number, %): how much smaller it became; negative where it grew
    """
    data = text.encode()
    if not data:
        raise ToolError("there is nothing to compress")
    size = _lz78_bytes(data)
    return {
        "original_bytes": len(data),
        "compressed_bytes": size,
        "saved_percent": round(100 * (len(data) - size) / len(data), 2),
    }


@tool("Encoding & Security")
def mask_pii(text: Prose) -> Output:
    """Mask e-mail addresses, phone numbers and card numbers in a text with asterisks.

    Args:
        text: The text to mask.

    Returns:
        masked_text (string): the text; an address keeps its first letter and domain, a number its
            last four digits
        masked_count (integer): how many were masked
    """
    matches = list(islice(_PERSONAL.finditer(text), MAX_MASKED + 1))
    if len(matches) > MAX_MASKED:
        raise ToolError(f"at most {MAX_MASKED:,} addresses and numbers are masked")
    pieces, end = [], 0
    for match in matches:
        pieces += [text[end : match.start()], _masked(match.group())]
        end = match.end()
    return {"masked_text": "".join([*pieces, text[end:]]), "masked_count": len(matches)}


def _vigenere(text: str, key: str) -> str:
    """Each letter A to Z shifted by the next letter of the key, case kept; all else unchanged."""
    if not (key.isascii() and key.isalpha()):
        raise ToolError("a Vigenère key takes the letters A to Z only")
    shifts = cycle(ord(letter) - ord("A") for letter in key.upper())
    shifted = []
    for character in text:
        if character.isascii() and character.isalpha():
            first = ord("A") if character.isupper() else ord("a")
            character = chr(first + (ord(character) - first + next(shifts)) % 26)
        shifted.append(character)
    return "".join(shifted)


def _xor(text: str, key: str) -> str:
    """Each UTF-8 byte of the text XORed with the next byte of the key, as hexadecimal digits."""
    pairs = zip(text.encode(), cycle(key.encode()), strict=False)
    return bytes(byte ^ mask for byte, mask in pairs).hex()


def _lz78_bytes(data: bytes) -> int:
    """Size in bytes of the LZ78 code of the data."""
    phrases: dict[tuple[int, int], int] = {}
    bits = phrase = 0
    for byte in data:
        known = phrases.get((phrase, byte))
        if known is not None:
            phrase = known
            continue
        # The empty phrase counts too: with n phrases stored, n + 1 numbers are told apart.
        bits += len(phrases).bit_length() + 8
        phrases[phrase, byte] = len(phrases) + 1
        phrase = 0
    if phrase:
        bits += len(phrases).bit_length()
    return (bits + 7) // 8


def _masked(text: str) -> str:
    if "@" in text:
        _, _, domain = text.partition("@")
        return f"{text[0]}***@{domain}"
    hidden = sum(character.isdigit() for character in text) - 4
    characters = []
    for character in text:
        if character.isdigit() and hidden > 0:
            character, hidden = "*", hidden - 1
        characters.append(character)
    return "".join(characters)
