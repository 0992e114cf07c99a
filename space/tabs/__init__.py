"""The tabs: form and wiring together. Imports services, html and all below them."""
