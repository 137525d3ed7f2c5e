import { useSyncExternalStore } from 'react'
import { call, CallFailure, keyOf, queryClient } from '#kit/web/calls/call.ts'
import { filesOfThing, listFiles, listFolders, maxFileBytes, uploadFile } from '../endpoints.ts'

/*
 * Files on their way to the server. The list lives outside of any screen: an upload goes on when the page is
 * left.
 */

export interface Upload {
  key: number
  /** What it is uploaded to: a folder, or a thing it will be attached to. */
  place: string
  file: File
  state: 'waits' | 'runs' | 'done' | 'failed'
  failure?: unknown
}

/** Where new files go. */
export interface UploadTarget {
  folder?: string
  entity?: string
  entityId?: string
}

/**
 * The server draws, folds and checks each one; more at once would only take the line from the other calls.
 */
const atOnce = 2

let held: readonly Upload[] = []
let last = 0
const targets = new Map<number, UploadTarget>()
const listeners = new Set<() => void>()

const set = (next: readonly Upload[]) => {
  held = next
  for (const listener of listeners) listener()
}
const mark = (key: number, change: Partial<Upload>) =>
  set(held.map((one) => (one.key === key ? { ...one, ...change } : one)))

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The uploads of one place, oldest first. */
export const useUploads = (place: string): readonly Upload[] =>
  useSyncExternalStore(
    subscribe,
    () => held,
    () => held,
  ).filter((one) => one.place === place)

/** Puts files on their way; what is too large is refused before it is sent. */
export function upload(place: string, files: readonly File[], target: UploadTarget): void {
  const added = files.map((file): Upload => {
    const key = ++last
    targets.set(key, target)
    return file.size > maxFileBytes
      ? { key, place, file, state: 'failed', failure: new CallFailure({ code: 'kit.tooLarge', status: 413 }) }
      : { key, place, file, state: 'waits' }
  })
  // What is over is cleared away by the next round, so that a refusal stays until it is read.
  set([...held.filter((one) => one.place !== place || one.state !== 'done'), ...added])
  next()
}

export function tryAgain(key: number): void {
  mark(key, { state: 'waits', failure: undefined })
  next()
}

/** Takes finished, refused and waiting ones off the list; what is running is left to end. */
export function clearUploads(place: string): void {
  set(held.filter((one) => one.place !== place || one.state === 'runs'))
}

function next(): void {
  for (const one of held) {
    if (held.filter(({ state }) => state === 'runs').length >= atOnce) return
    if (one.state === 'waits') void send(one)
  }
}

async function send({ key, file }: Upload): Promise<void> {
  mark(key, { state: 'runs' })
  try {
    await call(uploadFile, { name: fileName(file.name), bytes: file as never, ...targets.get(key) })
    mark(key, { state: 'done' })
    targets.delete(key)
  } catch (failure) {
    mark(key, { state: 'failed', failure })
  }
  await refreshFiles()
  next()
}

/** A name the server takes: a camera's or a drive's may hold what no name may. */
const fileName = (name: string): string =>
  name
    .replace(/[\u0000-\u001f\u007f/\\]/g, ' ')
    .trim()
    .slice(-200) || 'file'

/** After any change of files: lists, folders and what hangs on things are asked again. */
export const refreshFiles = (): Promise<unknown> =>
  Promise.all(
    [listFiles, listFolders, filesOfThing].map((one) =>
      queryClient.invalidateQueries({ queryKey: keyOf(one) }),
    ),
  )
