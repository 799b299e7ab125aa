(function (kit) {})
