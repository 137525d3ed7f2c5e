import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { ReportScreen } from '#kit/web/screens/ReportScreen.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { useCall } from '#kit/web/call.ts'
import { useCan } from '#kit/web/session.ts'
import { useWords } from '#kit/web/words.tsx'
import { Together } from '#kit/web/parts/Together.tsx'
import { grid } from '../endpoints.ts'
import { PayDialog } from './Dialogs.tsx'
import { useHouse } from './house.ts'

/** What tenants paid, with the receipt of each; a receipt that is cancelled on its page takes its payment back. */
export function Screen() {
  const t = useWords()
  const may = useCan()('committee.change')
  const { house, houses, error } = useHouse()
  const { data, isLoading } = useCall(grid, { id: house?.id ?? '' }, { enabled: house !== undefined })
  const [opens, setOpens] = useState(false)
  return (
    <Together waits={(!houses && !error) || isLoading}>
      <PageHeader
        title={t('screens.tenantPayments')}
        actions={
          may &&
          data && (
            <Button kind="primary" icon={Check} onPress={() => setOpens(true)}>
              {t('committee.pay.title')}
            </Button>
          )
        }
      />
      <ReportScreen name="tenantPayments" bare main />
      {opens && data && <PayDialog of={data} flatId={undefined} onClose={() => setOpens(false)} />}
    </Together>
  )
}
