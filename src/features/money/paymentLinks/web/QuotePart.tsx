import { Check, MessageSquare, X } from 'lucide-react'
import { formatMoment } from '#domain/format.ts'
import { askAhead, useCall } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import type { PlacedProps } from '#kit/web/screens/places.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { quoteAnswers } from '../endpoints.ts'

export const ahead = (id: string) => askAhead(quoteAnswers, { id })

const icons = { accepted: Check, declined: X, comment: MessageSquare }
const tones = { accepted: 'done', declined: 'wait', comment: 'info' } as const

/** On the page of a quote: what the customer said of it. */
export function Part({ of: id }: PlacedProps) {
  const t = useWords()
  const { data } = useCall(quoteAnswers, { id })
  return data?.rows.map(({ answer, comment, at }) => (
    <Note key={at} icon={icons[answer]} tone={tones[answer]}>
      {t(`customerPages.said.${answer}`)} · <Num>{formatMoment(new Date(at))}</Num>
      {comment && (
        <>
          {' · '}
          <bdi>{comment}</bdi>
        </>
      )}
    </Note>
  ))
}
