import { useSyncExternalStore } from 'react'
import { call, CallFailure, isNetworkError } from '#kit/web/calls/call.ts'
import { session } from '#kit/web/session/session.ts'
import { pressClock, type Press } from '../endpoints.ts'

/*
 * Presses of the clock are kept on the device before anything is sent, each under a separate id, and are sent when
 * there is a network. The server accepts each once, however often it is sent.
 */

const keyOf = () => `clockPresses.${session()?.CompanyKey ?? ''}.${session()?.FullName ?? ''}`
const listeners = new Set<() => void>()
let known: { key: string; presses: Press[] } | undefined

export function kept(): Press[] {
  const key = keyOf()
  if (known?.key !== key) known = { key, presses: read(key) }
  return known.presses
}

function read(key: string): Press[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(list) ? (list as Press[]) : []
  } catch {
    return []
  }
}

function keep(presses: Press[]): void {
  const key = keyOf()
  known = { key, presses }
  try {
    localStorage.setItem(key, JSON.stringify(presses))
  } catch {
    // A device that keeps nothing sends at once or not at all; what waits is still in memory.
  }
  for (const listener of listeners) listener()
}

export interface Refused {
  press: Press
  code: string
}

let sending: Promise<Refused[]> | undefined

/**
 * Sends what waits; one sending at a time, so that nothing overtakes. Answers what was refused; what had no
 * network stays.
 */
export function send(): Promise<Refused[]> {
  sending ??= (async () => {
    const waiting = kept()
    if (!waiting.length) return []
    const { rows } = await call(pressClock, { presses: waiting.slice(0, 200) }, { quiet: true })
    const answered = new Map(rows.map(({ id, code }) => [id, code]))
    // What was pressed meanwhile stays.
    keep(kept().filter(({ id }) => !answered.has(id)))
    return waiting.flatMap((press) => {
      const code = answered.get(press.id)
      return code ? [{ press, code }] : []
    })
  })().finally(() => (sending = undefined))
  return sending
}

/** Presses: kept first, then sent. */
export async function pressNow(press: Press): Promise<Refused[]> {
  keep([...kept(), press])
  try {
    return await send()
  } catch (e) {
    if (isNetworkError(e)) return []
    // A refusal of the whole call, as of a session that ended, leaves them kept.
    if (e instanceof CallFailure) throw e
    return []
  }
}

export const useKept = (): Press[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    kept,
    () => [],
  )

export const newPressId = (): string =>
  globalThis.crypto.randomUUID?.() ??
  // Without TLS there is no randomUUID: sixteen random bytes as one.
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte, i) =>
    ((i === 6 ? (byte & 15) | 64 : i === 8 ? (byte & 63) | 128 : byte) + 256).toString(16).slice(1),
  )
    .join('')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
