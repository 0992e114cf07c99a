"""What visitors hand in: checked, stored, published, withdrawn. Imports base."""
