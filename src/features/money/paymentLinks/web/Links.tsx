import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Together } from '#kit/web/parts/Together.tsx'
import { useCall } from '#kit/web/calls/call.ts'
import { useCan } from '#kit/web/session/session.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { listTerminals } from '#features/money/acquirers/endpoints.ts'
import { paymentLinks } from '../paymentLinks.ts'
import { openShare } from './open.tsx'
import './dress.tsx'
import './paymentLinks.css'

/** Payment links: which were sent, seen, paid, and which are past. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const { data, isLoading } = useCall(listTerminals, {}, { enabled: may('companies.see'), staleTime: 60_000 })
  const takers = data?.rows.filter(({ state }) => state === 'proved')
  return (
    <div className="pl-stack">
      <Together waits={isLoading}>
        {takers?.length === 0 && (
          <Note
            action={
              may('acquirers.change') && (
                <Button size="s" kind="soft" href="/invoice/onlinemarket">
                  {t('paymentLinks.toSettings')}
                </Button>
              )
            }
          >
            {t('paymentLinks.noCards')}
          </Note>
        )}
        {takers && takers.length > 0 && takers.every(({ isTest }) => isTest) && (
          <Note>{t('paymentLinks.testOn')}</Note>
        )}
        <ListScreen
          resource={paymentLinks}
          title={t('screens.paymentKeys')}
          archive={false}
          onOpen={(row) => openShare(row.id)}
        />
      </Together>
    </div>
  )
}
