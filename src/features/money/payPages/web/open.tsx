import { show } from '#kit/web/parts/shown.ts'
import { CouponDialog } from './CouponDialog.tsx'
import { ManyDialog } from './ManyDialog.tsx'
import { PurchaseSheet } from './PurchaseSheet.tsx'

export const openPurchase = (id: string): void => show((close) => <PurchaseSheet id={id} onClose={close} />)
export const openCoupon = (id?: string): void => show((close) => <CouponDialog id={id} onClose={close} />)
export const openMany = (): void => show((close) => <ManyDialog onClose={close} />)
