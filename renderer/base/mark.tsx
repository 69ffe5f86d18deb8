/** Parley's mark: two voices, one in answer to the other. */
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="#3e63dd" />
      <path
        d="M13.5 13.5h9a3 3 0 0 1 3 3v4a3 3 0 0 1-3 3h-.5v3l-3.5-3h-5a3 3 0 0 1-3-3v-4a3 3 0 0 1 3-3z"
        fill="#9eb1ff"
      />
      <path
        d="M9.5 6.5h10a3 3 0 0 1 3 3v5a3 3 0 0 1-3 3h-6l-4 3.5v-3.5a3 3 0 0 1-3-3v-5a3 3 0 0 1 3-3z"
        fill="#fff"
      />
    </svg>
  )
}
