import type { ReactNode } from 'react'
import { banner as show, notices, type BannerNotice } from '../parts/notices.ts'

/** When each sentence was said. */
const saidAt = new Map<number, number>()

function say(tone: BannerNotice['tone'], text: ReactNode, ms: number | undefined): number {
  const id = show(tone, text, ms === undefined ? {} : { seconds: ms / 1000 })
  saidAt.set(id, Date.now())
  return id
}

/**
 * One sentence at the top of the content. It leaves after the caller's time, on a click, or with the page.
 */
export const banner = {
  /** What was done; 5 seconds unless the caller says. */
  success: (text: ReactNode, ms = 5000): number => say('done', text, ms),
  /** What went wrong; stays until closed or fixed unless the caller says. */
  error: (text: ReactNode, ms?: number): number => say('late', text, ms),
  /** What the person should know. */
  info: (text: ReactNode, ms?: number): number => say('info', text, ms),
  hide: (id: number): void => notices.close(id),
  /** A click takes them away. */
  clear: (): void => {
    for (const one of notices.now().banners) notices.close(one.id)
  },
  /** A new page begins without the old page's sentences; what was said on the way to it stays. */
  newPage: (): void => {
    for (const one of notices.now().banners)
      if (Date.now() - (saidAt.get(one.id) ?? 0) > 1500) notices.close(one.id)
  },
}
