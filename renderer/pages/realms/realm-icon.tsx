import { initialsOf } from '../../base/format.ts'
import classes from './realm-icon.module.css'

/** A realm's letter on a colour of its own, the same each time. */
export function RealmIcon({ name, label, size }: { name: string; label: string; size: number }) {
  const hue = [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360, 210)
  return (
    <span
      className={classes.icon}
      style={{ width: size, height: size, fontSize: size * 0.48, ['--hue' as string]: hue }}
      // Drawn, not text: it must not become part of a button's name.
      data-letter={[...initialsOf(label)][0]}
      aria-hidden="true"
    />
  )
}
