import "react";

declare module "react" {
  interface CSSProperties {
    /** Custom properties, for classes that use them. */
    readonly [name: `--${string}`]: string;
  }
}
