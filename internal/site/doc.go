// Package site makes pages for a browser of the documentation: docs/*.md come in, an HTML
// page of each comes out, with a list of all pages and one of its sections.
//
// Programs (fences of apl) become examples: what they show (a fence of text behind one)
// stands below. In a browser page/site/docs.js puts the editor of the page that runs
// programs in their places. Without scripts the pages are complete, except that nothing
// runs. They load nothing from elsewhere. A link to a file that is no page of the site is
// text, since the site may stand where the sources do not.
package site
