import { ListScreen, type ListScreenProps } from '../../../kit/web/screens/ListScreen.tsx'
import { balanceCodes, cardKinds, sortCodes, vatAccounts, vatCodes } from '../codes.ts'
import './dress.tsx'

const screen = (resource: ListScreenProps['resource'], more: Omit<ListScreenProps, 'resource'> = {}) =>
  function CodesScreen() {
    return <ListScreen resource={resource} {...more} />
  }

/** Lists of codes, each its description and nothing else. A row opens its form. */
export const CardKinds = screen(cardKinds)
export const SortCodes = screen(sortCodes)
export const BalanceCodes = screen(balanceCodes)
export const VatCodes = screen(vatCodes)
/** Codes are made on the screen of VAT codes; here they get their accounts. */
export const VatAccounts = screen(vatAccounts, { newHref: false, archive: false })
