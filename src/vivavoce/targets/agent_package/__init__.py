"""Agent packages (`package.yao`), which viva runs itself."""
