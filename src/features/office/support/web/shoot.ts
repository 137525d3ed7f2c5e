/*
 * The page as a picture, drawn by its own browser: nothing leaves it before somebody looked. What is private
 * is made unreadable before anything is drawn: letters and digits become dots, so that no sharpening brings
 * them back, and the dots are blurred, so that nobody takes them for the fault.
 */

/** What may be read: words of the product itself. */
const spoken =
  'h1, h2, h3, h4, th, label, legend, button, nav, [role="tab"], .k-st, .k-note, .k-banner, .k-empty'
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

/** As much of a page as helps the person who answers, in CSS pixels. */
const highest = 2400

/**
 * What a page of ours looks like by. Each property is read and written for each element, and a browser knows
 * four hundred: with all of them the page stood still for seconds.
 */
const sides = ['top', 'right', 'bottom', 'left']
const looks = [
  ...sides,
  ...sides.flatMap((side) => [
    `margin-${side}`,
    `padding-${side}`,
    `border-${side}-width`,
    `border-${side}-style`,
    `border-${side}-color`,
  ]),
  ...`display position float box-sizing visibility opacity z-index overflow-x overflow-y scrollbar-width direction unicode-bidi width height
    min-width min-height max-width max-height aspect-ratio object-fit border-top-left-radius border-top-right-radius border-bottom-left-radius
    border-bottom-right-radius border-collapse border-spacing flex-direction flex-wrap flex-grow flex-shrink flex-basis order justify-content
    justify-items justify-self align-content align-items align-self row-gap column-gap grid-auto-flow grid-auto-columns grid-auto-rows
    grid-template-columns grid-template-rows grid-template-areas grid-column-start grid-column-end grid-row-start grid-row-end table-layout
    vertical-align list-style-type color background-color background-image background-size background-position background-repeat box-shadow
    filter font-family font-size font-weight font-style font-variant-numeric line-height letter-spacing text-align text-indent
    text-decoration-line text-decoration-color text-transform text-overflow white-space word-break overflow-wrap -webkit-line-clamp
    -webkit-box-orient appearance clip-path mask-image transform transform-origin content fill stroke stroke-width stroke-dasharray
    stroke-linecap stroke-linejoin`.split(/\s+/),
]

/** The content of the page one is on; undefined where this browser cannot draw it. */
export async function shootPage(): Promise<Blob | undefined> {
  const page = document.querySelector<HTMLElement>('#content')
  if (!page) return undefined
  const { width, height } = page.getBoundingClientRect()
  const fields = [...page.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')].map(
    ({ value }) => value,
  )
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
    const from = copy.getBoundingClientRect().top
    // What begins below the picture is not copied at all.
    const below = new Set<Node>()
    for (const one of copy.querySelectorAll('*')) {
      if (below.has(one.parentNode!)) below.add(one)
      else if (one.getBoundingClientRect().top - from > highest) below.add(one)
    }
    return (
      (await toBlob(copy, {
        width,
        height: Math.min(Math.max(height, 200), highest),
        pixelRatio: 1,
        backgroundColor: background,
        // The fonts of the page would be ten times the picture.
        skipFonts: true,
        cacheBust: false,
        includeStyleProperties: looks,
        filter: (node) => !below.has(node),
      })) ?? undefined
    )
  } catch {
    return undefined
  } finally {
    stage.remove()
  }
}
