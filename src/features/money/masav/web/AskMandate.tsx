import { useState } from 'react'
import { call, keyOf, queryClient } from '#kit/web/calls/call.ts'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { useSession } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { AskDialog, Asked } from '#features/sales/signing/web/index.tsx'
import { show } from '#kit/web/parts/shown.ts'
import { askMandate, proposeDebits } from '../endpoints.ts'

export interface AskMandateProps {
  customerId: string
  name: string
}

/** Opens the question: the customer signs on a phone, and the mandate is in force automatically. */
export const openAskMandate = (of: AskMandateProps): void =>
  show((close) => <AskMandateDialog {...of} onClose={close} />)

function AskMandateDialog({ customerId, name, onClose }: AskMandateProps & { onClose: () => void }) {
  const t = useWords()
  const hides = useSession()?.HideTotalPrices ?? false
  const [reference, setReference] = useState('')
  const [ceiling, setCeiling] = useState<number | null>(null)
  return (
    <AskDialog
      title={t('masav.askMandateOf', { name })}
      text={t('masav.askMandateText')}
      customerId={customerId}
      names={['reference', 'ceilingAgorot']}
      ask={async (given) => {
        const made = await call(askMandate, {
          customerId,
          ...given,
          ...(reference.trim() ? { reference: reference.trim() } : {}),
          ceilingAgorot: ceiling,
        })
        await queryClient.invalidateQueries({ queryKey: keyOf(proposeDebits) })
        return made
      }}
      onClose={onClose}
    >
      {(refusal) => (
        <>
          <TextField
            label={t('masav.mandateNumber')}
            hint={t('masav.numberHint')}
            value={reference}
            onChange={setReference}
            ltr
            optional
            inputMode="numeric"
            max={20}
            {...refusal('reference', reference)}
          />
          {!hides && (
            <MoneyField
              label={t('masav.ceiling')}
              hint={t('masav.ceilingHint')}
              value={ceiling}
              onChange={setCeiling}
              optional
              {...refusal('ceilingAgorot', ceiling)}
            />
          )}
        </>
      )}
    </AskDialog>
  )
}

/** The mandates a customer was sent to sign, and the question of a new one. */
export function Mandates({ bare, ...of }: AskMandateProps & { bare?: boolean }) {
  const t = useWords()
  return (
    <Asked
      about={of.customerId}
      purposes="mandate"
      title={t('masav.mandate')}
      {...(bare ? { bare } : {})}
      onAsk={() => openAskMandate(of)}
    />
  )
}
