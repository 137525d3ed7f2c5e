import { LoaderCircle, type LucideIcon } from 'lucide-react'
import { useId, useState, type ReactNode, type Ref } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button'
import { Link } from 'react-aria-components/Link'
import { Icon } from './Icon.tsx'
import { Kbd } from './Kbd.tsx'

export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'soft' | 'danger'

export interface ButtonProps extends Pick<
  AriaButtonProps,
  'onPress' | 'type' | 'autoFocus' | 'isDisabled' | 'form' | 'id' | 'slot'
> {
  /** One primary per screen. */
  kind?: ButtonKind
  size?: 'xs' | 's' | 'm' | 'l'
  icon?: LucideIcon
  /** The icon points along the line and mirrors in right-to-left. */
  m?: boolean
  /** An icon alone needs its word here; it becomes the accessible name and the tooltip of the browser. */
  label?: string
  /** The key that does the same, shown at the end. */
  keys?: string
  /** Makes it a link; clicks go through the router. */
  href?: string
  /**
   * Why it cannot be pressed now. It stays visible and reachable, and the reason is read aloud; show it
   * beside the button too.
   */
  blocked?: string
  /** Work is under way: the icon turns and presses are ignored, the width stays. */
  busy?: boolean
  /** As wide as its place. */
  wide?: boolean
  /** On dark ground (selection bar, toast): the one prominent action. */
  hi?: boolean
  pressed?: boolean
  expanded?: boolean
  hasPopup?: 'menu' | 'dialog' | 'listbox'
  describedBy?: string
  /** Tab passes it by, because keys of the field beside it do the same. */
  untabbed?: boolean
  className?: string
  children?: ReactNode
  ref?: Ref<HTMLButtonElement>
}

/**
 * Does something. Its word is an action noun (he, ar) or a verb; the icon comes before it at the reading
 * side.
 */
export function Button({ ref, ...props }: ButtonProps) {
  const {
    kind = 'plain',
    size,
    icon,
    m,
    label,
    keys,
    href,
    blocked,
    busy,
    wide,
    hi,
    pressed,
    expanded,
    hasPopup,
    describedBy,
    className,
  } = props
  const reason = useId()
  const [focused, setFocused] = useState(false)
  // What its own press made impossible, such as the next page on the last one, keeps the focus until it is
  // left: no key goes elsewhere.
  const held = props.isDisabled === true && focused
  const looks = {
    className: className ? `k-btn ${className}` : 'k-btn',
    'data-kind': kind,
    'data-size': size,
    'data-only': props.children === undefined ? '' : undefined,
    'data-wide': wide ? '' : undefined,
    'data-hi': hi ? '' : undefined,
    'aria-label': label,
  }
  const inside = (
    <>
      {busy ? (
        <Icon of={LoaderCircle} className="k-busy" />
      ) : (
        icon && <Icon of={icon} m={m} size={props.children === undefined && size === undefined ? 'l' : 'm'} />
      )}
      {props.children}
      {keys && <Kbd keys={keys} />}
      {blocked && (
        <span id={reason} className="vh">
          {blocked}
        </span>
      )}
    </>
  )
  if (href !== undefined)
    return (
      <Link {...looks} href={href} id={props.id}>
        {inside}
      </Link>
    )
  return (
    <AriaButton
      {...looks}
      ref={ref}
      id={props.id}
      slot={props.slot}
      type={blocked || busy || held ? 'button' : props.type}
      form={props.form}
      autoFocus={props.autoFocus}
      isDisabled={props.isDisabled && !held}
      onFocusChange={setFocused}
      {...(props.untabbed ? { excludeFromTabOrder: true } : {})}
      // Not the library's own pending: its spoken node names the button, and a dialog that closes when the
      // work is done leaves it nameless.
      onPress={blocked || busy || held ? undefined : props.onPress}
      {...(pressed === undefined ? {} : { 'aria-pressed': pressed })}
      {...(expanded === undefined ? {} : { 'aria-expanded': expanded })}
      {...(hasPopup ? { 'aria-haspopup': hasPopup } : {})}
      {...(blocked || describedBy
        ? { 'aria-describedby': [describedBy, blocked && reason].filter(Boolean).join(' ') }
        : {})}
      {...(blocked || busy || held ? { 'aria-disabled': true } : {})}
    >
      {inside}
    </AriaButton>
  )
}
