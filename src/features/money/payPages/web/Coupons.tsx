import { ChartColumn, Plus, TicketPercent } from 'lucide-react'
import { Button } from '#kit/web/parts/Button.tsx'
import { go } from '#kit/web/routes/place.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { coupons } from '../payPages.ts'
import './dress.tsx'
import { openCoupon, openMany } from './open.tsx'

/** Coupons: what each gives, until when, and what became of it. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  return (
    <ListScreen
      resource={coupons}
      title={t('screens.coupons')}
      archive={false}
      newHref={false}
      onOpen={(row) => openCoupon(row.id)}
      actions={
        may(coupons.allow.change) && (
          <Button kind="primary" icon={Plus} onPress={() => openCoupon()}>
            {t('coupons.new')}
          </Button>
        )
      }
      more={[
        ...(may(coupons.allow.change)
          ? [{ key: 'many', label: t('coupons.many'), icon: TicketPercent, onPress: openMany }]
          : []),
        {
          key: 'use',
          label: t('screens.couponUse'),
          icon: ChartColumn,
          onPress: () => go('/invoice/reportcoupons'),
        },
      ]}
      empty={{ title: t('coupons.empty.title'), text: t('coupons.empty.text') }}
    />
  )
}
