/** It did not answer, or not in time, or asked to be left alone for a while. */
export class Away extends Error {
  /** Seconds it asked for. */
  readonly after: number | undefined
  constructor(words: string, after?: number) {
    super(words)
    this.after = after
  }
}
/** There is no room. */
export class Full extends Error {}
/** Consent was withdrawn, or the keys are refused. */
export class Revoked extends Error {}
/** A folder that was there is gone: it is made again. */
export class FolderGone extends Error {}
/** It will never take this. */
export class Never extends Error {}

export interface CopyFile {
  folders: readonly string[]
  name: string
  bytes: Uint8Array
  mime: string
}

/** What a place remembers of an upload between tries. */
export interface Memory {
  remoteId: string
  session: string
  keep: (now: { remoteId?: string; session?: string }) => Promise<void>
  folder: (path: string) => Promise<string | undefined>
  keepFolder: (path: string, remoteId: string) => Promise<void>
  forgetFolders: () => Promise<void>
}

/**
 * A place that files are laid in. Laying the same file again, after an answer that was lost, leaves one file.
 */
export interface Door {
  put: (file: CopyFile, memory: Memory) => Promise<void>
}
