import { fail } from '#kit/describe/errors.ts'
import type { StoredRequest, StoredSigner } from './load.ts'
import { isOver, refuseUnknown } from './page.ts'

/** Whether it is somebody's turn; says by name why it is not. */
export function refuseTurn(r: StoredRequest, s: StoredSigner, visit: string | undefined, now: Date): void {
  refuseUnknown(s, visit, now)
  if (isOver(r, now)) throw fail('signing.hasEnded')
  if (s.state === 'signed' || s.state === 'spared' || r.state === 'done' || r.state === 'sealing')
    throw fail('signing.done')
  if (s.state !== 'open') throw fail('signing.notYourTurn')
}
