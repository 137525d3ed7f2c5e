import { pino, type Logger } from 'pino'

/** Bytes of lines that wait to be written; what comes beyond them is dropped. */
const mostWaiting = 1_000_000

let lost = 0

/** Lines of the log that this process could not write: the disk under it was full, or nobody reads it any more. */
export const lostLines = (): number => lost

/**
 * The log of a process, to standard output or to a file. A line that cannot be written is lost and counted; the server goes
 * on without it.
 */
export function openLog(level: string, to: number | string = 1): Logger {
  const out = pino.destination({ dest: to, sync: true, maxLength: mostWaiting })
  out.on('error', () => lost++)
  out.on('drop', () => lost++)
  return pino({ level, redact: ['req.headers["x-access-token"]', '*.password', '*.token'] }, out)
}
