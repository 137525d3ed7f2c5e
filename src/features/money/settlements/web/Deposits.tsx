import { Plus, ReceiptText, Scale } from 'lucide-react'
import { Button } from '#kit/web/parts/Button.tsx'
import { go } from '#kit/web/routes/place.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { acquirerDeposits } from '../settlements.ts'
import './dress.tsx'
import { openBook, openDeposit, openInvoice } from './open.tsx'

/** What acquirers paid to the bank; each is posted with its fee and matched with the bank's line. */
export function Screen() {
  const t = useWords()
  const may = useCan()('settlements.change')
  return (
    <ListScreen
      resource={acquirerDeposits}
      title={t('screens.acquirerDeposits')}
      archive={false}
      newHref={false}
      {...(may
        ? {
            onOpen: (row: { id: string; state?: unknown; netAgorot?: unknown }) =>
              row.state === 'found' && openBook(row.id, Number(row.netAgorot ?? 0)),
          }
        : {})}
      actions={
        may && (
          <Button kind="primary" icon={Plus} onPress={openDeposit}>
            {t('acquirerDeposits.new')}
          </Button>
        )
      }
      more={[
        ...(may
          ? [{ key: 'invoice', label: t('settlements.invoice'), icon: ReceiptText, onPress: openInvoice }]
          : []),
        {
          key: 'fees',
          label: t('screens.acquirerFees'),
          icon: Scale,
          onPress: () => go('/invoice/reportacquirerfees'),
        },
      ]}
      empty={{ title: t('acquirerDeposits.empty.title'), text: t('acquirerDeposits.empty.text') }}
    />
  )
}
