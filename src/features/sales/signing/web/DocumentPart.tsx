import { useState } from 'react'
import { call, useCall } from '#kit/web/call.ts'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { show } from '#kit/web/parts/shown.ts'
import type { PlacedProps } from '#kit/web/screens/places.ts'
import { useSession } from '#kit/web/session.ts'
import { useWords } from '#kit/web/words.tsx'
import { getDocument } from '#features/sales/documents/endpoints.ts'
import { signDocument } from '../endpoints.ts'
import { AskDialog } from './AskDialog.tsx'
import { Asked } from './Asked.tsx'

/** Where a quote, an order or a delivery note is sent: sent to be signed, and what became of it. */
export function Part({ of: documentId }: PlacedProps) {
  const hides = useSession()?.HideTotalPrices ?? false
  const { data } = useCall(getDocument, { id: documentId })
  if (!data || data.status === 'draft') return null
  // Its figures are what is signed.
  const may = data.status === 'issued' && !hides
  return (
    <Asked
      about={documentId}
      purposes="document,quoteOrder"
      {...(may
        ? {
            onAsk: () =>
              show((close) => (
                <Dialog documentId={documentId} number={data.number} isQuote={data.type === 1} customerId={data.customerId} onClose={close} />
              )),
          }
        : {})}
    />
  )
}

interface DialogProps {
  documentId: string
  number: number | null
  isQuote: boolean
  customerId: string | null
  onClose: () => void
}

function Dialog({ documentId, number, isQuote, customerId, onClose }: DialogProps) {
  const t = useWords()
  const [becomesOrder, setBecomes] = useState(isQuote)
  return (
    <AskDialog
      title={t('signing.document.title', { number: number ?? 0 })}
      customerId={customerId ?? undefined}
      ask={(given) => call(signDocument, { documentId, becomesOrder, ...given })}
      onClose={onClose}
    >
      {() => isQuote && <FlagField label={t('signing.document.becomesOrder')} value={becomesOrder} onChange={setBecomes} />}
    </AskDialog>
  )
}
