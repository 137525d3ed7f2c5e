import { useState } from 'react'
import { statusFacts } from '#domain/documents/facts.ts'
import { documentTypes } from '#domain/documents/kinds.ts'
import { call, useCall } from '#kit/web/calls/call.ts'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { show } from '#kit/web/parts/shown.ts'
import type { PlacedProps } from '#kit/web/screens/places.ts'
import { useSession } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { getDocument, type DocumentAnswer } from '#features/sales/documents/endpoints.ts'
import { signDocument } from '../endpoints.ts'
import { AskDialog } from './AskDialog.tsx'
import { Asked } from './Asked.tsx'

/** Where a quote, an order or a delivery note is sent: sent to be signed, and what became of it. */
export function Part({ of: documentId }: PlacedProps) {
  const hides = useSession()?.HideTotalPrices ?? false
  const { data } = useCall(getDocument, { id: documentId })
  if (!data || statusFacts(data.status).isDraft) return null
  // Its figures are what is signed.
  const may = statusFacts(data.status).isUntouched && !hides
  return (
    <Asked
      about={documentId}
      purposes="document,quoteOrder"
      {...(may
        ? {
            onAsk: () => show((close) => <DocumentDialog of={data} onClose={close} />),
          }
        : {})}
    />
  )
}

/**
 * Sends a document of agreement to its recipient; to a buyer who is no customer with the details printed on it.
 */
export function DocumentDialog({ of, onClose }: { of: DocumentAnswer; onClose: () => void }) {
  const t = useWords()
  const isQuote = of.type === documentTypes.priceQuote.id
  const [becomesOrder, setBecomes] = useState(isQuote)
  return (
    <AskDialog
      title={t('signing.document.title', { number: of.number ?? 0 })}
      {...(of.customerId
        ? { customerId: of.customerId }
        : {
            start: {
              name: of.customer?.name ?? '',
              email: of.customer?.email ?? '',
              phone: of.customer?.phone ?? '',
            },
          })}
      ask={(given) =>
        call(signDocument, { documentId: of.id, becomesOrder: isQuote && becomesOrder, ...given })
      }
      onClose={onClose}
    >
      {() =>
        isQuote && (
          <FlagField label={t('signing.document.becomesOrder')} value={becomesOrder} onChange={setBecomes} />
        )
      }
    </AskDialog>
  )
}
