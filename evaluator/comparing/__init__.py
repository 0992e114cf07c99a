"""What runs say together: results, intervals, ranks, comparisons. Imports scoring and traces."""
