import type { Page } from '@playwright/test'

/*
 * What an eye would look for on a picture of a screen, measured in the page itself: everything in one call, so that
 * a screen in twenty looks costs seconds. Everything reported is a fault for a person; exceptions (a name cut where
 * its title has all of it, a link inside a sentence, a target whose label or surroundings make it large enough) are
 * removed here, by a rule, never by a list of screens.
 */

/** The faults of the page as it is, each as a line that leads to its place. */
export const measure = (page: Page, limits: Limits): Promise<string[]> => page.evaluate(look, limits)

export interface Limits {
  /** The least side of what one presses. */
  target: number
  /** The first parts of word keys: 'customers' of 'customers.fields.name'. */
  groups: readonly string[]
}

/** Runs in the page: it may name nothing outside itself. */
function look({ target, groups }: Limits): string[] {
  const found: string[] = []
  const say = (what: string, element: Element | null, more = '') => {
    const text = (
      element?.textContent ||
      element?.getAttribute('aria-label') ||
      element?.getAttribute('name') ||
      ''
    )
      .trim()
      .replace(/\s+/g, ' ')
    const classes =
      typeof element?.className === 'string' && element.className
        ? `.${element.className.trim().split(/\s+/).slice(0, 2).join('.')}`
        : ''
    found.push(
      `${what}: ${element?.tagName.toLowerCase()}${classes} ‘${text.slice(0, 40)}’${more ? ` ${more}` : ''}`,
    )
  }
  const styles = new Map<Element, CSSStyleDeclaration>()
  const styleOf = (element: Element) => {
    let style = styles.get(element)
    if (!style) styles.set(element, (style = getComputedStyle(element)))
    return style
  }
  // What lies over the page makes the page behind it untouchable; only what can be used is looked at.
  const top = [...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')].at(-1) ?? document.body

  // Nothing scrolls sideways but what says so by its own scroll bar.
  if (document.documentElement.scrollWidth > window.innerWidth) {
    const widest = [...document.body.querySelectorAll('*')].find((element) => {
      const { left, right } = element.getBoundingClientRect()
      return (
        (right > window.innerWidth + 1 || left < -1) &&
        element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
      )
    })
    say('wider than its window', widest ?? document.body)
  }

  // One filled button: two side by side say nothing of which comes next.
  for (const first of top.querySelectorAll('[data-kind="primary"]')) {
    const beside = first.nextElementSibling
    if (beside?.matches('[data-kind="primary"]') && first.checkVisibility() && beside.checkVisibility())
      say('two primary buttons side by side', beside)
  }
  const heads = [...top.querySelectorAll('.k-ph .acts')]
  for (const head of heads)
    if ([...head.querySelectorAll('[data-kind="primary"]')].filter((one) => one.checkVisibility()).length > 1)
      say('several primary buttons in a head', head)

  // Text that is cut: all of it must be in a title, or under its own scroll.
  const isSeen = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true })
  const clips = new Map<Element, { box: DOMRect; x: boolean; y: boolean }[]>()
  const clipsOf = (element: Element | null): { box: DOMRect; x: boolean; y: boolean }[] => {
    if (!element || element === document.body || element === document.documentElement) return []
    let known = clips.get(element)
    if (known) return known
    const style = styleOf(element)
    // What scrolls shows everything sooner or later, and what is fixed is cut by nothing around it.
    const scrollsX = /auto|scroll/.test(style.overflowX)
    const scrollsY = /auto|scroll/.test(style.overflowY)
    const above = style.position === 'fixed' ? [] : clipsOf(element.parentElement)
    known = above
      .map((clip) => ({ ...clip, x: clip.x && !scrollsX, y: clip.y && !scrollsY }))
      .filter((clip) => clip.x || clip.y)
    const x = /hidden|clip/.test(style.overflowX)
    const y = /hidden|clip/.test(style.overflowY)
    if (style.display !== 'inline' && (x || y)) known.push({ box: element.getBoundingClientRect(), x, y })
    clips.set(element, known)
    return known
  }
  const texts = document.createTreeWalker(top, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  const saidOf = new Set<Element>()
  const words = new RegExp(
    `(?<![\\w./@-])(${groups.join('|')})\\.[a-z][A-Za-z0-9]*(\\.[A-Za-z0-9_]+)*(?![\\w/@-])`,
  )
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const parent = node.parentElement!
    const text = node.nodeValue!.trim()
    if (!text || /^(SCRIPT|STYLE|TEMPLATE|NOSCRIPT|TITLE|OPTION)$/.test(parent.tagName)) continue
    if (!isSeen(parent)) continue
    const isCode = parent.closest('code, pre, [data-code]') !== null
    if (!isCode && words.test(text)) say('key of a word', parent, words.exec(text)![0])
    if (!isCode && parent.tagName !== 'TEXTAREA' && /\{\w+(, ?(plural|select|number))?/.test(text))
      say('gap of a word not filled', parent)
    // ‘in -14 days’: a day that has passed is counted ahead.
    if (!isCode && /(?:בעוד|\bin|\bdans|через|بعد) [\u200e\u2066\u2068]*[-−]\d/.test(text))
      say('a passed day counted ahead', parent)
    if (parent.closest('svg, [aria-hidden="true"], .vh, [inert]')) continue
    range.selectNodeContents(node)
    const box = range.getBoundingClientRect()
    if (box.width < 1 || box.height < 1) continue
    for (const clip of clipsOf(parent)) {
      // Read aloud only.
      if (clip.box.width <= 2 || clip.box.height <= 2) break
      const wide = clip.x && (box.right > clip.box.right + 2 || box.left < clip.box.left - 2)
      const high = clip.y && (box.bottom > clip.box.bottom + 4 || box.top < clip.box.top - 4)
      if (!wide && !high) continue
      if (parent.closest('[title]:not([title=""]), [data-whole]') || saidOf.has(parent)) continue
      saidOf.add(parent)
      say(
        'text is cut',
        parent,
        `${Math.round(box.width)} x ${Math.round(box.height)} in ${Math.round(clip.box.width)} x ${Math.round(clip.box.height)}`,
      )
      break
    }
  }
  for (const element of top.querySelectorAll('[aria-label], [title], [placeholder], [alt]'))
    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
      const said = element.getAttribute(name)
      if (said && words.test(said)) say(`key of a word in ${name}`, element, said)
    }
  if (words.test(document.title)) found.push(`key of a word in the title of the page: ${document.title}`)

  // Controls: large enough, none over another.
  const pressed =
    'a[href], button, input:not([type="hidden"]), select, textarea, summary, [role="button"], [role="link"], [role="tab"], [role="menuitem"], ' +
    '[role="checkbox"], [role="radio"], [role="switch"], [role="combobox"], [role="option"], [role="gridcell"] [role="button"]'
  const area = (element: Element): DOMRect => {
    const own = element.getBoundingClientRect()
    const labels = (element as HTMLInputElement).labels ?? []
    // A button is not pressed by the text beside it, a field or box is.
    if (element.tagName === 'BUTTON') return own
    let [left, up, right, down] = [own.left, own.top, own.right, own.bottom]
    for (const label of labels) {
      const box = label.getBoundingClientRect()
      // A label over a text field is no part of what one aims at.
      if (!label.contains(element) && !/^(checkbox|radio)$/.test((element as HTMLInputElement).type)) continue
      ;[left, up, right, down] = [
        Math.min(left, box.left),
        Math.min(up, box.top),
        Math.max(right, box.right),
        Math.max(down, box.bottom),
      ]
    }
    return new DOMRect(left, up, right - left, down - up)
  }
  const controls = [...top.querySelectorAll<HTMLElement>(pressed)].filter((element) => {
    if (
      element.matches(':disabled, [aria-disabled="true"]') ||
      element.closest('[inert], .vh, [aria-hidden="true"]')
    )
      return false
    const box = element.getBoundingClientRect()
    // What waits outside of the window for the cursor (the way past the menu) is no target of a finger.
    if (
      styleOf(element).position === 'fixed' &&
      (box.bottom <= 0 || box.right <= 0 || box.left >= window.innerWidth)
    )
      return false
    return box.width > 1 && box.height > 1 && isSeen(element) && styleOf(element).pointerEvents !== 'none'
  })
  const isInline = (element: HTMLElement) => {
    if (!styleOf(element).display.startsWith('inline') || element.tagName !== 'A') return false
    const block =
      element.closest('p, li, td, dd, dt, div, label, h1, h2, h3, figcaption, legend') ??
      element.parentElement!
    const around = [...block.childNodes]
    const flat = (nodes: ChildNode[]): string =>
      nodes
        .map((one) =>
          one === element
            ? ''
            : one.nodeType === 3
              ? one.nodeValue
              : one instanceof Element && !one.matches(pressed)
                ? flat([...one.childNodes])
                : '',
        )
        .join('')
    return /\p{L}{2}/u.test(flat(around))
  }
  const isWithin = (box: DOMRect, x: number, y: number, radius: number) =>
    Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom)) <
    radius - 0.5
  for (const element of controls) {
    const box = area(element)
    if (box.width >= target - 0.5 && box.height >= target - 0.5) continue
    if (isInline(element)) continue
    // As large as the paper has it; the same is pressed in full size beside it (WCAG 2.2, 2.5.8: equivalent).
    if (element.closest('[data-also]')) continue
    // A link in a row that is pressed as a whole leads where the row leads.
    const row = element.closest<HTMLElement>('tr[tabindex], [role="row"][tabindex]')
    if (
      row &&
      element.tagName === 'A' &&
      row.querySelector('a[href]') === element &&
      row.getBoundingClientRect().height >= target - 0.5
    )
      continue
    // Its padding by a pseudo-element, or the cell that hands the press on, is felt by pressing there.
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
    const at = area(element)
    const [x, y, half] = [at.left + at.width / 2, at.top + at.height / 2, target / 2 - 1]
    const isOf = (px: number, py: number) => {
      const hit = document.elementFromPoint(px, py)
      return (
        !!hit &&
        (element.contains(hit) ||
          [...((element as HTMLInputElement).labels ?? [])].some((label) => label.contains(hit)))
      )
    }
    const reaches = (side: number, dx: number, dy: number) => {
      if (side >= target - 0.5) return true
      // What is not in the middle of its area may reach further to one side.
      let sum = 0
      for (const sign of [1, -1]) {
        let far = 0
        while (far < target && isOf(x + dx * sign * (far + 1), y + dy * sign * (far + 1))) far += 1
        sum += far
      }
      return sum >= half * 2
    }
    if (reaches(at.width, 1, 0) && reaches(at.height, 0, 1)) continue
    // A finger needs the size itself; for a pointer it is enough that nothing else lies within the size (WCAG
    // 2.5.8, spacing).
    if (
      target <= 24 &&
      !controls.some(
        (other) =>
          other !== element &&
          !other.contains(element) &&
          !element.contains(other) &&
          isWithin(area(other), x, y, target / 2),
      )
    )
      continue
    say(`target under ${target} px`, element, `${Math.round(at.width)} x ${Math.round(at.height)}`)
  }
  // What floats over the page (a bar at its foot) is left when one scrolls.
  const floats = new Map<Element, Element | null>()
  const floatOf = (element: Element | null): Element | null => {
    if (!element || element === document.body) return null
    const known = floats.get(element)
    if (known !== undefined) return known
    const own = /fixed|sticky/.test(styleOf(element).position) ? element : floatOf(element.parentElement)
    floats.set(element, own)
    return own
  }
  // A link that runs over two lines of a sentence is two boxes, and the text between them does not belong to it.
  const boxesOf = (element: HTMLElement): DOMRect[] =>
    styleOf(element).display === 'inline' ? [...element.getClientRects()] : [element.getBoundingClientRect()]
  const partsOf = controls.flatMap((element) => boxesOf(element).map((box) => ({ element, box })))
  const inner = partsOf.map(({ element, box }) => {
    const style = styleOf(element)
    // A button in the padding of a field takes no room from its text.
    const isField = /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName)
    const [l, r] = isField
      ? [Number.parseFloat(style.paddingLeft), Number.parseFloat(style.paddingRight)]
      : [0, 0]
    let [left, right, up, down] = [box.left + l, box.right - r, box.top, box.bottom]
    // What has scrolled out of its own box is not there.
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
      const { overflowX, overflowY } = styleOf(at)
      if (overflowX === 'visible' && overflowY === 'visible') continue
      const clip = at.getBoundingClientRect()
      ;[left, right, up, down] = [
        Math.max(left, clip.left),
        Math.min(right, clip.right),
        Math.max(up, clip.top),
        Math.min(down, clip.bottom),
      ]
    }
    return { element, left, right, up, down, float: floatOf(element) }
  })
  inner.sort((a, b) => a.up - b.up)
  for (const [i, one] of inner.entries())
    for (let j = i + 1; j < inner.length && inner[j]!.up < one.down - 2; j++) {
      const two = inner[j]!
      if (one.float !== two.float || one.element.contains(two.element) || two.element.contains(one.element))
        continue
      const wide = Math.min(one.right, two.right) - Math.max(one.left, two.left)
      const high = Math.min(one.down, two.down) - Math.max(one.up, two.up)
      if (wide <= 2 || high <= 2) continue
      const label =
        (two.element as HTMLInputElement).labels?.[0] ?? (one.element as HTMLInputElement).labels?.[0]
      if (label && label.contains(one.element) && label.contains(two.element)) continue
      say(
        'controls overlap',
        one.element,
        `with ${two.element.tagName.toLowerCase()} ‘${(two.element.textContent || two.element.getAttribute('aria-label') || '').trim().slice(0, 40)}’ by ${Math.round(wide)} x ${Math.round(high)}`,
      )
    }
  // Of one kind three places are enough to see what it is.
  const kinds = new Map<string, string[]>()
  for (const one of new Set(found)) {
    const kind = one.split(' ‘')[0]!
    kinds.set(kind, [...(kinds.get(kind) ?? []), one])
  }
  return [...kinds.values()].flatMap((some) =>
    some.length > 3 ? [...some.slice(0, 3), `${some[0]!.split(' ‘')[0]} and ${some.length - 3} more`] : some,
  )
}

/** Put into a page before anything else: records every layout shift that no input caused. */
export function watchShifts(): void {
  const kept = ((window as unknown as { shifts: { value: number; from: string }[] }).shifts = [])
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number
      hadRecentInput: boolean
      sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
    })[]) {
      if (entry.hadRecentInput || entry.startTime < ((window as unknown as { cameAt?: number }).cameAt ?? 0))
        continue
      const from = entry.sources
        .slice(0, 2)
        .map(({ node, previousRect: a, currentRect: b }) => {
          const element = node instanceof Element ? node : node?.parentElement
          const classes =
            typeof element?.className === 'string' ? element.className.split(' ').slice(0, 2).join('.') : ''
          return `${element?.tagName.toLowerCase()}.${classes} ‘${(element?.textContent ?? '').trim().slice(0, 24)}’ ${Math.round(a.x)},${Math.round(a.y)} ${Math.round(a.width)}x${Math.round(a.height)} to ${Math.round(b.x)},${Math.round(b.y)} ${Math.round(b.width)}x${Math.round(b.height)}`
        })
        .join('; ')
      ;(kept as { value: number; from: string }[]).push({ value: entry.value, from })
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

/** What has shifted since the last time it was asked. */
export const shifted = (page: Page): Promise<{ sum: number; from: string }> =>
  page.evaluate(() => {
    const kept = (window as unknown as { shifts: { value: number; from: string }[] }).shifts
    const all = kept.splice(0)
    const worst = [...all].sort((a, b) => b.value - a.value)[0]
    return { sum: all.reduce((sum, { value }) => sum + value, 0), from: worst?.from ?? '' }
  })
