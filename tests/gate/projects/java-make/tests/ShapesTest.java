public class ShapesTest {
    private static int n, failed;

    private static void is(String name, Object found, Object expected) {
        boolean holds = expected.equals(found);
        System.out.println((holds ? "ok " : "not ok ") + ++n + " - " + name);
        if (!holds) {
            System.out.println("# found " + found + ", expected " + expected);
            failed++;
        }
    }

    public static void main(String[] arguments) {
        System.out.println("1..2");
        is("area", Shapes.area(3, 5), 15);
        is("perimeter", Shapes.perimeter(3, 5), 16);
        System.exit(failed == 0 ? 0 : 1);
    }
}
