"""Rules by name, as text, asked, under symmetries; and what labels mean."""
