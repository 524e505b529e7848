int Part();
