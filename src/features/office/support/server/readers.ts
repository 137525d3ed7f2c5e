import { fail } from '#kit/describe/errors.ts'
import { redraw, type Redrawn } from '#kit/server/paper/redraw.ts'

/** The picture of a page, drawn again. */
async function redrawn({ bytes }: { bytes: Uint8Array }): Promise<Redrawn> {
  const drawn = await redraw(bytes, { widest: 1600, highest: 4000, as: 'jpeg' })
  if (drawn === 'no') throw fail('support.notPicture')
  if (drawn === 'large') throw fail('support.pictureTooLarge')
  return drawn
}

/** What a thread looks at for this feature. */
export const readers = { 'support.picture': redrawn }
