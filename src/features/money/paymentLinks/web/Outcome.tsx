import { CircleCheck } from 'lucide-react'
import { Note } from '#kit/web/parts/Banner.tsx'
import { FileButton } from '#kit/web/parts/FileButton.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { pagePdf } from '#features/sales/documents/endpoints.ts'
import { documentName } from '#features/sales/documents/web/index.tsx'
import type { Outcome } from '../endpoints.ts'

/** Paid: thanks, and the receipt. */
export function Paid({
  paper,
  thanks,
  surplus = false,
}: {
  paper: Outcome['paper']
  thanks: string
  surplus?: boolean
}) {
  const t = useWords()
  if (surplus) return <Note tone="wait">{t('paymentLinks.pay.surplus')}</Note>
  return (
    <>
      <p className="pl-line" role="status">
        <Icon of={CircleCheck} /> <b>{t('paymentLinks.pay.done')}</b>
      </p>
      {thanks && (
        <p dir="auto" className="whitespace-pre-line">
          {thanks}
        </p>
      )}
      {paper ? (
        <FileButton kind="primary" size="l" endpoint={pagePdf} input={{ key: paper.key }}>
          {t('paymentLinks.pay.download', { document: documentName(t, paper.type, paper.number) })}
        </FileButton>
      ) : (
        <p className="sub">{t('paymentLinks.pay.paperLater')}</p>
      )}
    </>
  )
}

/** The acquirer itself does not know yet whether the payment went through. */
export const isInDoubt = ({ state }: Outcome): boolean => state === 'inDoubt'

/** What prevents it, in words; nothing when nothing does. */
export function Trouble({ outcome }: { outcome: Outcome | undefined }) {
  const t = useWords()
  if (outcome?.state === 'declined')
    return (
      <Note tone="late">
        {t(outcome.code === 'noFunds' ? 'paymentLinks.pay.noFunds' : 'paymentLinks.pay.declined')}
      </Note>
    )
  if (outcome?.state === 'lapsed') return <Note tone="wait">{t('paymentLinks.pay.lapsed')}</Note>
  return null
}
