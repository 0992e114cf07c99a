"""Draws hang on key and label alone."""

from dataset_builder.values.draw import Draw


def test_ranks_are_those_of_the_fractions() -> None:
    labels = [f"template {number} é" for number in range(200)]
    draw = Draw("order|7|12")
    ranks = draw.ranks([label.encode() for label in labels])
    assert [rank / 2**53 for rank in ranks] == [draw.fraction(label) for label in labels]
