"""AND-OR search: conditional plans, cyclic ones too."""
