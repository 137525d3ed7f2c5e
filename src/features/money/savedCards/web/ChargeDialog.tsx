import { CreditCard } from 'lucide-react'
import { useState } from 'react'
import { call } from '#kit/web/calls/call.ts'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { go } from '#kit/web/routes/place.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { pagePath } from '#features/sales/documents/types/index.ts'
import { chargeCard, type CardAnswer } from '../endpoints.ts'
import { CardName, refreshCards } from './says.tsx'

/**
 * Charges a card now. One dialog is one charge, however often its button is pressed; what was declined is
 * tried again as another.
 */
export function ChargeDialog({ of, onClose }: { of: CardAnswer; onClose: () => void }) {
  const t = useWords()
  const [once, setOnce] = useState(() => crypto.randomUUID())
  const [agorot, setAgorot] = useState<number | null>(null)
  const [description, setDescription] = useState('')
  const [refused, setRefused] = useState('')
  return (
    <FormDialog
      title={t('savedCards.charge')}
      verb={t('savedCards.chargeDo')}
      icon={CreditCard}
      names={['amountAgorot', 'description']}
      onClose={onClose}
      onSubmit={async () => {
        setRefused('')
        const outcome = await call(chargeCard, { id: of.id, once, amountAgorot: agorot ?? 0, description })
        await refreshCards()
        if (outcome.state === 'declined') {
          setOnce(crypto.randomUUID())
          setRefused(`${t(`cardCharges.decline.${outcome.declineClass || 'hard'}`)} ${outcome.declineCode}`)
          throw new Error('declined')
        }
        if (outcome.state === 'paid') banner.success(t('savedCards.charged'))
        else banner.info(t('savedCards.chargeUnknown'))
        onClose()
        if (outcome.paper) go(pagePath(outcome.paper.type, outcome.paper.id))
        else go(`/invoice/historypayments/${outcome.chargeId}`)
      }}
    >
      {(refusal) => (
        <>
          <p className="sub">
            <CardName brand={of.brand} last4={of.last4} /> · <bdi>{of.customerName}</bdi>
          </p>
          {refused && <Note tone="late">{refused}</Note>}
          <MoneyField
            label={t('savedCards.sum')}
            hint={t('savedCards.sumHint')}
            name="amountAgorot"
            value={agorot}
            onChange={setAgorot}
            {...refusal('amountAgorot', agorot)}
          />
          <TextField
            label={t('savedCards.what')}
            name="description"
            max={200}
            value={description}
            onChange={setDescription}
            {...refusal('description', description)}
          />
        </>
      )}
    </FormDialog>
  )
}
