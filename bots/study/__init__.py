"""What ``expert`` studies before he decides: the actions worth comparing, and what each is priced
by."""
