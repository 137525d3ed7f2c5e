/**
 * Characters that no human text needs: control characters (a line's end and a tab are none here), direction marks,
 * and unpaired surrogates. They are pasted along from a PDF or a chat, invisibly; the database, PDFs and exports
 * break on them.
 */
const unwanted =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/gu
const anyUnwanted = new RegExp(unwanted.source, 'u')

/** The text without what people cannot see and did not mean. */
export const cleanText = (text: string): string =>
  anyUnwanted.test(text) ? text.replace(unwanted, '') : text
