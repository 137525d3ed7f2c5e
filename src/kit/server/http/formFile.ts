import { Transform, type TransformCallback } from 'node:stream'
import { failField } from '#kit/describe/errors.ts'
import { strictText } from './strictText.ts'

/** Headers of a part are a line or two; more is no form. */
const longestHead = 8_192
/** Bytes of fields and heads before the file. */
const mostBefore = 262_144

const noFile = () => failField('file', 'fields.need')

/** The boundary that a Content-Type of a form names; undefined for every other type. */
export const boundaryOf = (contentType: string): string | undefined => {
  const [, quoted, plain] =
    /^multipart\/form-data\b.*;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? []
  return quoted ?? plain
}

/** The name of a file in the head of its part (RFC 7578); undefined where the part is a field. */
export function fileNameIn(head: string): string | undefined {
  const disposition = /^content-disposition:\s*form-data\b(.*)$/im.exec(head)?.[1]
  const encoded = disposition && /;\s*filename\*=utf-8''([^;\s]+)/i.exec(disposition)?.[1]
  if (encoded)
    try {
      return decodeURIComponent(encoded)
    } catch {
      return undefined
    }
  return disposition && /;\s*filename="([^"]*)"/i.exec(disposition)?.[1]
}

/**
 * Lets through the bytes of the first file of a form (multipart/form-data, RFC 7578), as they come and never more than a
 * piece of them in memory; fields before it are passed over, what follows it is read and dropped. `onName` is given the
 * name of the file. Refuses a form without a file, one that ends inside it (fields.need at `file`), and a head that is no
 * UTF-8 (http.badText).
 */
export class FormFile extends Transform {
  private readonly line: Buffer
  private kept: Buffer = Buffer.from('\r\n')
  private before = 0
  private state: 'between' | 'head' | 'file' | 'field' | 'after' = 'between'

  constructor(
    boundary: string,
    private readonly onName: (name: string) => void,
  ) {
    super()
    this.line = Buffer.from(`\r\n--${boundary}`)
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.state === 'after') return done()
    if (this.state !== 'file') this.before += chunk.length
    this.kept = Buffer.concat([this.kept, chunk])
    try {
      while (this.step());
    } catch (e) {
      return done(e as Error)
    }
    const isLong = (this.state as string) === 'head' && this.kept.length > longestHead
    const isLate = !['file', 'after'].includes(this.state) && this.before > mostBefore
    done(isLong || isLate ? noFile() : null)
  }

  override _flush(done: TransformCallback): void {
    done(this.state === 'after' ? null : noFile())
  }

  /** Reads on as far as what came says; whether there may be more to read. */
  private step(): boolean {
    if (this.state === 'after') {
      this.kept = Buffer.alloc(0)
      return false
    }
    if (this.state === 'head') {
      const end = this.kept.indexOf('\r\n\r\n')
      if (end < 0) return false
      const name = fileNameIn(strictText(this.kept.subarray(0, end)))
      this.kept = this.kept.subarray(end + 4)
      this.state = name === undefined ? 'field' : 'file'
      if (name !== undefined) this.onName(name)
      return true
    }
    const at = this.kept.indexOf(this.line)
    if (at < 0) {
      // The boundary may lie across two pieces.
      const sure = this.kept.length - this.line.length
      if (sure > 0) {
        if (this.state === 'file') this.push(this.kept.subarray(0, sure))
        this.kept = this.kept.subarray(sure)
      }
      return false
    }
    // Two characters tell whether another part follows.
    if (this.kept.length < at + this.line.length + 2) return false
    if (this.state === 'file') {
      if (at > 0) this.push(this.kept.subarray(0, at))
      this.state = 'after'
      return true
    }
    const isLast = this.kept.subarray(at + this.line.length, at + this.line.length + 2).toString() === '--'
    this.kept = this.kept.subarray(at + this.line.length)
    if (isLast) return false
    this.state = 'head'
    return true
  }
}
