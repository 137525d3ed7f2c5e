import { walletNames, type Wallet } from '#features/money/acquirers/acquirers.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { useWords } from '#kit/web/words/words.tsx'

interface WalletsProps {
  of: readonly Wallet[]
  /** The one whose form is being opened. */
  opening: Wallet | undefined
  onPay: (wallet: Wallet) => void
}

/** Other means than the card that the form can be opened for alone; Apple Pay where the browser has it. */
export function Wallets({ of, opening, onPay }: WalletsProps) {
  const t = useWords()
  const offered = of.filter((one) => one !== 'applePay' || 'ApplePaySession' in window)
  if (!offered.length) return null
  return (
    <div className="pl-wallets" role="group" aria-label={t('paymentLinks.pay.otherMeans')}>
      {offered.map((wallet) => (
        <Button key={wallet} kind="soft" size="l" busy={opening === wallet} onPress={() => onPay(wallet)}>
          {t('paymentLinks.pay.payWith', { means: walletNames[wallet] })}
        </Button>
      ))}
    </div>
  )
}
