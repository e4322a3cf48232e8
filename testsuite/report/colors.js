// SPDX-License-Identifier: GPL-2.0-or-later
/* Count colors: a picture with few of them is empty. Used by picture.js, and for files of pictures. */

/* Add the colors of a canvas to a set. */
function addColors(canvas, colors) {
	const { data: bytes } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
	for (let i = 0; i < bytes.length; i += 4)
		colors.add((bytes[i] << 16) | (bytes[i + 1] << 8) | bytes[i + 2]);
}

/* Make the title of the page "colorful", or a list of the images that are not. Called when all images are loaded. */
function judgeImages() {
	const wrongs = [];
	for (const image of document.images) {
		const canvas = document.createElement("canvas"),
			colors = new Set();
		canvas.width = image.naturalWidth;
		canvas.height = image.naturalHeight;
		canvas.getContext("2d").drawImage(image, 0, 0);
		addColors(canvas, colors);
		if (colors.size < 16) wrongs.push(`${image.alt}: ${colors.size} colors`);
	}
	document.title = wrongs.join() || (document.images.length ? "colorful" : "no images");
}
