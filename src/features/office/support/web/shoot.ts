/*
 * The page as a picture, drawn by its own browser: nothing leaves it before somebody looked. What is private is made unreadable before anything is drawn: letters and
 * digits become dots, so that no sharpening brings them back, and the dots are blurred, so that nobody takes them for the fault.
 */

/** What may be read: words of the product itself. */
const spoken = 'h1, h2, h3, h4, th, label, legend, button, nav, [role="tab"], .k-st, .k-note, .k-banner, .k-empty'
const unread = 'bdi, .num, input, textarea, td, [contenteditable]'

const dotted = (text: string): string => text.replace(/[\p{L}\p{N}]/gu, '•')

function hide(root: HTMLElement): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  for (const text of texts) {
    const at = text.parentElement
    if (!at || !text.data.trim()) continue
    // A name in a head is private too; a word of a table's head is not.
    if (at.closest(spoken) && !at.closest(unread)) continue
    text.data = dotted(text.data)
    if (at.style) at.style.filter = 'blur(2px)'
  }
  for (const field of root.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')) {
    field.value = dotted(field.value)
    field.setAttribute('value', field.value)
    field.style.filter = 'blur(2px)'
  }
  for (const one of root.querySelectorAll('img, canvas, iframe, video, object, svg image')) one.remove()
  for (const one of root.querySelectorAll('[title], [aria-label], [placeholder]')) {
    one.removeAttribute('title')
    one.removeAttribute('aria-label')
  }
}

/** The content of the page one is on; undefined where this browser cannot draw it. */
export async function shootPage(): Promise<Blob | undefined> {
  const page = document.querySelector<HTMLElement>('#content')
  if (!page) return undefined
  const { width, height } = page.getBoundingClientRect()
  const fields = [...page.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')].map(({ value }) => value)
  const copy = page.cloneNode(true) as HTMLElement
  copy.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea').forEach((field, n) => {
    field.value = fields[n] ?? ''
  })
  copy.removeAttribute('id')
  copy.inert = true
  const stage = document.createElement('div')
  stage.style.position = 'fixed'
  stage.style.insetInlineStart = '-200vw'
  stage.style.insetBlockStart = '0'
  stage.style.inlineSize = `${width}px`
  stage.setAttribute('aria-hidden', 'true')
  hide(copy)
  stage.append(copy)
  document.body.append(stage)
  try {
    const { toBlob } = await import('html-to-image')
    const background = getComputedStyle(document.body).backgroundColor
    return (
      (await toBlob(copy, {
        width,
        height: Math.min(Math.max(height, 200), 2400),
        pixelRatio: 1,
        backgroundColor: background,
        // The fonts of the page would be ten times the picture.
        skipFonts: true,
        cacheBust: false,
      })) ?? undefined
    )
  } catch {
    return undefined
  } finally {
    stage.remove()
  }
}
