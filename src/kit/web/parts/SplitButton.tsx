import { ChevronDown } from 'lucide-react'
import { useWords } from '../words/words.tsx'
import { Button, type ButtonProps } from './Button.tsx'
import { Menu, type MenuEntry } from './Menu.tsx'

export interface SplitButtonProps extends ButtonProps {
  /** The other ways of doing it, behind the arrow. */
  menu: MenuEntry[]
  /** The arrow's name when "more choices" says too little. */
  menuLabel?: string
}

/** The common thing at once, its variants behind an arrow. */
export function SplitButton({ menu, menuLabel, ...button }: SplitButtonProps) {
  const t = useWords()
  return (
    <span className="k-split">
      <Button {...button} />
      <Menu
        items={menu}
        trigger={
          <Button
            kind={button.kind}
            size={button.size}
            icon={ChevronDown}
            label={menuLabel ?? t('kit.actions.moreChoices')}
            className="narrow"
          />
        }
      />
    </span>
  )
}
