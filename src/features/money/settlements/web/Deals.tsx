import { Landmark, RefreshCw, Scale } from 'lucide-react'
import { useCall } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { go } from '#kit/web/routes/place.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { settlementFacts } from '../endpoints.ts'
import { acquirerDeals } from '../settlements.ts'
import './dress.tsx'
import { openTake } from './open.tsx'

/** Deals of acquirers beside our charges, and what of it does not fit. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const hides = useSession()?.HideTotalPrices ?? false
  const { data, error } = useCall(settlementFacts, {})
  if (!data && !error) return <Skeleton lines={8} />
  return (
    <div className="grid grid-cols-1 gap-4">
      {data && data.differences > 0 && (
        <Note tone="late">{t('settlements.differences', { count: data.differences })}</Note>
      )}
      {data && !hides && data.owedAgorot !== 0 && (
        <Note
          action={
            <Button size="s" kind="soft" href="/invoice/reportacquirersowe">
              {t('screens.acquirersOwe')}
            </Button>
          }
        >
          {t('settlements.owed')} <Money amount={data.owedAgorot} />
        </Note>
      )}
      <ListScreen
        resource={acquirerDeals}
        title={t('screens.acquirerDeals')}
        archive={false}
        newHref={false}
        actions={
          may('settlements.change') && (
            <Button kind="primary" icon={RefreshCw} onPress={openTake}>
              {t('settlements.take')}
            </Button>
          )
        }
        more={[
          {
            key: 'deposits',
            label: t('screens.acquirerDeposits'),
            icon: Landmark,
            onPress: () => go('/invoice/acquirerdeposits'),
          },
          {
            key: 'owed',
            label: t('screens.acquirersOwe'),
            icon: Scale,
            onPress: () => go('/invoice/reportacquirersowe'),
          },
        ]}
        empty={{ title: t('acquirerDeals.empty.title'), text: t('acquirerDeals.empty.text') }}
      />
    </div>
  )
}
