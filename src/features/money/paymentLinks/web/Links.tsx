import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { useCall } from '#kit/web/call.ts'
import { useCan } from '#kit/web/session.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useWords } from '#kit/web/words.tsx'
import { getAcquirer } from '../endpoints.ts'
import { paymentLinks } from '../paymentLinks.ts'
import { openShare } from './open.tsx'
import './dress.tsx'
import './paymentLinks.css'

/** Payment links: which were sent, seen, paid, and which are past. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const { data } = useCall(getAcquirer, {}, { enabled: may('companies.see'), staleTime: 60_000 })
  return (
    <div className="pl-stack">
      {data && !data.isOn && (
        <Note
          action={
            may('companies.change') && (
              <Button size="s" kind="soft" href="/invoice/settingsreciept">
                {t('paymentLinks.toSettings')}
              </Button>
            )
          }
        >
          {t('paymentLinks.noCards')}
        </Note>
      )}
      {data?.isOn && <Note>{t('paymentLinks.testOn')}</Note>}
      <ListScreen resource={paymentLinks} title={t('screens.paymentKeys')} archive={false} onOpen={(row) => openShare(row.id)} />
    </div>
  )
}
