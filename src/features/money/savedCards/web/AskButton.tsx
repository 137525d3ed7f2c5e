import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Option } from '#kit/web/fields/Combo.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { resourceNamed, searchIn } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { openAsk } from './open.tsx'

/** Asks whose card; without a customer the dialog first asks for one. */
export function AskButton({ customerId }: { customerId?: string }) {
  const t = useWords()
  const may = useCan()('savedCards.change')
  const [choosing, setChoosing] = useState(false)
  const [customer, setCustomer] = useState<Option | null>(null)
  const customers = resourceNamed('customers')
  if (!may) return null
  return (
    <>
      <Button
        kind="primary"
        icon={Plus}
        onPress={() => (customerId ? openAsk(customerId) : setChoosing(true))}
      >
        {t('savedCards.ask')}
      </Button>
      {choosing && customers && (
        <FormDialog
          title={t('savedCards.ask')}
          verb={t('savedCards.askNext')}
          isDisabled={!customer}
          names={['customerId']}
          onClose={() => setChoosing(false)}
          onSubmit={async () => {
            setChoosing(false)
            if (customer) openAsk(customer.key)
          }}
        >
          {(refusal) => (
            <>
              <p className="sub">{t('savedCards.askText')}</p>
              <RefField
                label={t('savedCards.fields.customerId')}
                search={searchIn(customers)}
                value={customer}
                onChange={setCustomer}
                {...refusal('customerId', customer)}
              />
            </>
          )}
        </FormDialog>
      )}
    </>
  )
}
