import { Button } from '#kit/web/parts/Button.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { useWords } from '#kit/web/words/words.tsx'

/** Bank, branch and account as people write them. */
export function AccountCell({ of }: { of: { bank: string; branch: string; account: string } }) {
  return of.account ? (
    <Num>
      {of.bank}-{of.branch}-{of.account}
    </Num>
  ) : null
}

export function NoSettings() {
  const t = useWords()
  return (
    <Note
      action={
        <Button size="s" href="/invoice/masavsettings">
          {t('screens.masavSettings')}
        </Button>
      }
    >
      {t('masav.noSettings')}
    </Note>
  )
}
