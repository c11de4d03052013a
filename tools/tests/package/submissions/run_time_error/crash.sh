# Crashes before the validator says anything of it.
exit 3
