import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { call, useCall } from '#kit/web/calls/call.ts'
import { MoneyField, PriceField, QuantityField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { go } from '#kit/web/routes/place.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { leadTwins, winLead, type LeadCard } from '../endpoints.ts'
import { refreshLeads } from './shared.ts'

interface Line {
  key: number
  description: string
  quantity: string | null
  unitPrice: string | null
}
let made = 0
const fresh = (): Line => ({ key: made++, description: '', quantity: '1', unitPrice: null })

/**
 * Won: who becomes the customer (one who looks the same is offered), for how much, and the lines of a quote,
 * in one step.
 */
export function WinDialog({
  card,
  stageId,
  onClose,
}: {
  card: Pick<LeadCard, 'id' | 'version' | 'name' | 'company' | 'phone' | 'sumAgorot'> & {
    email?: string | null
  }
  stageId?: string
  onClose: () => void
}) {
  const t = useWords()
  const may = useCan()
  const { data } = useCall(leadTwins, {
    ...(card.phone ? { phone: card.phone } : {}),
    ...(card.email ? { email: card.email } : {}),
    except: card.id,
  })
  const same = (data?.rows ?? []).filter(({ kind }) => kind === 'customer')
  const [customerId, setCustomerId] = useState<string | null>()
  const [sum, setSum] = useState<number | null>(card.sumAgorot)
  const [lines, setLines] = useState<Line[]>([])
  const chosen = customerId === undefined ? (same[0]?.id ?? '') : (customerId ?? '')
  const put = (key: number, change: Partial<Line>) =>
    setLines((old) => old.map((one) => (one.key === key ? { ...one, ...change } : one)))
  return (
    <FormDialog
      title={t('leads.win.title', { name: card.name })}
      verb={t('leads.win.verb')}
      names={[
        'customerId',
        'sumAgorot',
        ...lines.flatMap((_, i) => [`lines.${i}.description`, `lines.${i}.quantity`, `lines.${i}.unitPrice`]),
      ]}
      onClose={onClose}
      onSubmit={async () => {
        const { customerId: his, quoteId } = await call(winLead, {
          id: card.id,
          version: card.version,
          ...(stageId ? { stageId } : {}),
          customerId: chosen || null,
          sumAgorot: sum,
          lines: lines.map(({ description, quantity, unitPrice }) => ({
            description: description.trim(),
            quantity: quantity ?? '1',
            unitPrice: unitPrice ?? '',
          })),
        })
        await refreshLeads()
        onClose()
        banner.success(t('leads.win.done'))
        go(quoteId ? `/invoice/InvoiceDocument/${quoteId}` : `/invoice/invoiceCustomer/${his}/details`)
      }}
    >
      {(error) => (
        <>
          {same.length > 0 && (
            <ChoiceField
              label={t('leads.win.customer')}
              as="list"
              value={chosen}
              onChange={(id) => setCustomerId(id)}
              choices={[
                ...same.map(({ id, name }) => ({ value: id, label: name, hint: t('leads.win.same') })),
                { value: '', label: t('leads.win.new', { name: card.company || card.name }) },
              ]}
              {...error('customerId', chosen)}
            />
          )}
          {same.length === 0 && <p>{t('leads.win.text', { name: card.company || card.name })}</p>}
          <MoneyField
            label={t('leads.fields.sumAgorot')}
            optional
            value={sum}
            onChange={setSum}
            {...error('sumAgorot', sum)}
          />
          {may('documents.draft') && (
            <>
              {lines.map((line, i) => (
                <fieldset key={line.key} className="ld-line">
                  <legend className="vh">{t('leads.win.line')}</legend>
                  <TextField
                    label={t('leads.win.description')}
                    value={line.description}
                    onChange={(description) => put(line.key, { description })}
                    max={500}
                    {...error(`lines.${i}.description`, line.description)}
                  />
                  <QuantityField
                    label={t('leads.win.quantity')}
                    value={line.quantity}
                    onChange={(quantity) => put(line.key, { quantity })}
                    {...error(`lines.${i}.quantity`, line.quantity)}
                  />
                  <PriceField
                    label={t('leads.win.price')}
                    value={line.unitPrice}
                    onChange={(unitPrice) => put(line.key, { unitPrice })}
                    {...error(`lines.${i}.unitPrice`, line.unitPrice)}
                  />
                  <Button
                    kind="quiet"
                    size="s"
                    icon={X}
                    label={t('leads.win.dropLine')}
                    onPress={() => setLines((old) => old.filter(({ key }) => key !== line.key))}
                  />
                </fieldset>
              ))}
              <div>
                <Button size="s" icon={Plus} onPress={() => setLines((old) => [...old, fresh()])}>
                  {t(lines.length ? 'leads.win.addLine' : 'leads.win.quote')}
                </Button>
              </div>
            </>
          )}
        </>
      )}
    </FormDialog>
  )
}
