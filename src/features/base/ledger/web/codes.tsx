import { CalendarClock } from 'lucide-react'
import { Button } from '#kit/web/parts/Button.tsx'
import { ListScreen, type ListScreenProps } from '#kit/web/screens/ListScreen.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { balanceCodes, cardKinds, sortCodes, vatAccounts, vatCodes, vatCodeTerms } from '../codes.ts'
import './dress.tsx'

const screen = (resource: ListScreenProps['resource'], more: Omit<ListScreenProps, 'resource'> = {}) =>
  function CodesScreen() {
    return <ListScreen resource={resource} {...more} />
  }

/** Lists of codes, each its description and nothing else. A row opens its form. */
export const CardKinds = screen(cardKinds)
export const SortCodes = screen(sortCodes)
export const BalanceCodes = screen(balanceCodes)
/** Values that change by day are in a separate list. */
export function VatCodes() {
  const t = useWords()
  return (
    <ListScreen
      resource={vatCodes}
      actions={
        <Button icon={CalendarClock} href={vatCodeTerms.screens.list}>
          {t('screens.vatCodeTerms')}
        </Button>
      }
    />
  )
}
export const VatCodeTerms = screen(vatCodeTerms)
/** Codes are made on the screen of VAT codes; here they get their accounts. */
export const VatAccounts = screen(vatAccounts, { newHref: false, archive: false })
