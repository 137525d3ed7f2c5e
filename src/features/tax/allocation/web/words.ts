import { wordIfAny, type Words } from '#kit/web/words/words.tsx'

/**
 * Why there is no number, in words; a code of the authority that we do not know says itself, and what the
 * authority wrote with it.
 */
export function reasonText(t: Words, { reason, message }: { reason: string; message: string }): string {
  if (!reason) return message
  return (
    wordIfAny(t, `allocation.reason.${reason}`) ?? (message || t('allocation.reason.other', { code: reason }))
  )
}
