import { call } from '#kit/web/calls/call.ts'
import { show } from '#kit/web/parts/shown.ts'
import type { PlacedProps } from '#kit/web/screens/places.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { askConsent } from '../endpoints.ts'
import { AskDialog } from './AskDialog.tsx'
import { Asked } from './Asked.tsx'

/** On a customer's card: the consent to computerized documents, signed by the customer. */
export function Part({ of: customerId }: PlacedProps) {
  const t = useWords()
  return (
    <Asked
      bare
      about={customerId}
      purposes="consent"
      onAsk={() =>
        show((close) => (
          <AskDialog
            title={t('signing.consent.ask')}
            customerId={customerId}
            ask={(given) => call(askConsent, { customerId, ...given })}
            onClose={close}
          />
        ))
      }
    />
  )
}
