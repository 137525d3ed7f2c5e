import type { ReactNode } from 'react'

export interface ToastNotice {
  id: number
  text: ReactNode
  /** Undoes what was done; also Ctrl+Z while it is shown. */
  undo?: () => void
  seconds: number
}

export interface BannerNotice {
  id: number
  tone: 'done' | 'late' | 'wait' | 'info'
  text: ReactNode
  action?: ReactNode
  /** Undefined: stays until closed. */
  seconds?: number
}

type Held = {
  toasts: readonly ToastNotice[]
  banners: readonly BannerNotice[]
  /**
   * An action the server has not answered yet and that can be undone; `isCancelled` once somebody has said so.
   */
  coming?: { id: number; isCancelled: boolean } | undefined
}
let held: Held = { toasts: [], banners: [] }
let last = 0
const listeners = new Set<() => void>()
const set = (next: Partial<Held>) => {
  held = { ...held, ...next }
  for (const listener of listeners) listener()
}

/** What is said now; read by the places that show it. */
export const notices = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  now: () => held,
  /** Undoes what the server has not done yet, once it has. */
  cancelComing: () => held.coming && set({ coming: { ...held.coming, isCancelled: true } }),
  close: (id: number) =>
    set({
      toasts: held.toasts.filter((one) => one.id !== id),
      banners: held.banners.filter((one) => one.id !== id),
    }),
}

/**
 * "3 expenses moved to the archive · undo": only for what can be undone. Callable from anywhere; the newest three
 * are shown.
 */
export function toast(text: ReactNode, undo?: () => void, seconds = 8): void {
  set({ toasts: [...held.toasts.slice(-2), { id: ++last, text, undo, seconds }] })
}

/**
 * The toast of an action that is shown before the server has done it: Ctrl+Z pressed meanwhile is kept, and undoes
 * it as soon as it is done, instead of being lost or racing it.
 */
export async function toastOnce(work: Promise<unknown>, text: ReactNode, undo: () => void): Promise<void> {
  const id = ++last
  set({ coming: { id, isCancelled: false } })
  const isMine = () => held.coming?.id === id
  try {
    await work
  } catch (e) {
    if (isMine()) set({ coming: undefined })
    throw e
  }
  const isCancelled = isMine() && held.coming!.isCancelled
  if (isMine()) set({ coming: undefined })
  if (isCancelled) undo()
  else toast(text, undo)
}

/** One sentence at the top of the content. Errors stay until closed, success goes after its seconds. */
export function banner(
  tone: BannerNotice['tone'],
  text: ReactNode,
  more: { action?: ReactNode; seconds?: number } = {},
): number {
  const id = ++last
  const seconds = more.seconds ?? (tone === 'done' ? 5 : undefined)
  set({
    banners: [
      ...held.banners.filter((one) => one.tone !== tone),
      { id, tone, text, action: more.action, seconds },
    ],
  })
  return id
}
