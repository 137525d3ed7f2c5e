/**
 * All pages of these files in one, in their order; for the printer: the seals of the single files do not hold
 * in it.
 */
export async function onePdf(files: readonly Uint8Array[]): Promise<Uint8Array> {
  const [first, ...others] = files
  // Large, and seldom needed: a start should not wait for it.
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  // The reader takes the bytes it is given away.
  const task = getDocument({ data: new Uint8Array(first!), verbosity: 0 })
  try {
    const document = await task.promise
    return await document.extractPages([
      { document: null },
      ...others.map((one) => ({ document: new Uint8Array(one) })),
    ])
  } finally {
    await task.destroy()
  }
}
